/* test_stem.c: the examples of Porter's paper, and the forms where the later
 * variant differs. */
#include "check_main.h"
#include "metric/stem.h"

#include <string.h>

static void stems_to(const char *word, const char *stem) {
  char copy[64];
  size_t len = strlen(word);
  memcpy(copy, word, len + 1);
  len = eh_stem_porter(copy, len);
  copy[len] = '\0';
  if (strcmp(copy, stem) != 0)
    ck_abort_msg("%s: got %s, expected %s", word, copy, stem);
}

START_TEST(test_paper) {
  static const char *const pairs[][2] = {{"caresses", "caress"},
                                         {"ponies", "poni"},
                                         {"caress", "caress"},
                                         {"cats", "cat"},
                                         {"feed", "feed"},
                                         {"agreed", "agre"},
                                         {"plastered", "plaster"},
                                         {"bled", "bled"},
                                         {"motoring", "motor"},
                                         {"sing", "sing"},
                                         {"conflated", "conflat"},
                                         {"troubled", "troubl"},
                                         {"sized", "size"},
                                         {"hopping", "hop"},
                                         {"tanned", "tan"},
                                         {"falling", "fall"},
                                         {"hissing", "hiss"},
                                         {"fizzed", "fizz"},
                                         {"failing", "fail"},
                                         {"filing", "file"},
                                         {"happy", "happi"},
                                         {"relational", "relat"},
                                         {"conditional", "condit"},
                                         {"rational", "ration"},
                                         {"valenci", "valenc"},
                                         {"digitizer", "digit"},
                                         {"radically", "radic"},
                                         {"differently", "differ"},
                                         {"vilely", "vile"},
                                         {"analogously", "analog"},
                                         {"vietnamization", "vietnam"},
                                         {"predication", "predic"},
                                         {"operator", "oper"},
                                         {"feudalism", "feudal"},
                                         {"decisiveness", "decis"},
                                         {"hopefulness", "hope"},
                                         {"callousness", "callous"},
                                         {"formality", "formal"},
                                         {"sensitivity", "sensit"},
                                         {"sensibility", "sensibl"},
                                         {"triplicate", "triplic"},
                                         {"formative", "form"},
                                         {"formalize", "formal"},
                                         {"electricity", "electr"},
                                         {"electrical", "electr"},
                                         {"hopeful", "hope"},
                                         {"goodness", "good"},
                                         {"revival", "reviv"},
                                         {"allowance", "allow"},
                                         {"inference", "infer"},
                                         {"airliner", "airlin"},
                                         {"gyroscopic", "gyroscop"},
                                         {"adjustable", "adjust"},
                                         {"defensible", "defens"},
                                         {"irritant", "irrit"},
                                         {"replacement", "replac"},
                                         {"adjustment", "adjust"},
                                         {"dependent", "depend"},
                                         {"adoption", "adopt"},
                                         {"homologous", "homolog"},
                                         {"communism", "commun"},
                                         {"activate", "activ"},
                                         {"angularity", "angular"},
                                         {"effective", "effect"},
                                         {"bowdlerize", "bowdler"},
                                         {"probate", "probat"},
                                         {"rate", "rate"},
                                         {"cease", "ceas"},
                                         {"controller", "control"},
                                         {"rolling", "roll"}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    stems_to(pairs[i][0], pairs[i][1]);
}
END_TEST

START_TEST(test_variant) {
  stems_to("ties", "tie");
  stems_to("flies", "fli");
  stems_to("died", "die");
  stems_to("dying", "die");
  stems_to("skies", "sky");
  stems_to("news", "news");
  stems_to("say", "say");
  stems_to("enjoy", "enjoy");
  stems_to("spied", "spi");
  stems_to("geology", "geolog");
  stems_to("generally", "gener");
  stems_to("archaeology", "archaeolog");
}
END_TEST

START_TEST(test_left_alone) {
  stems_to("", "");
  stems_to("as", "as");
  stems_to("Cats", "Cats");
  stems_to("caf\xc3\xa9s", "caf\xc3\xa9s");
  stems_to("q3s", "q3s");
  stems_to("yyy", "yyy");
  stems_to("sss", "sss");
}
END_TEST

CHECK_MAIN(stem, test_paper, test_variant, test_left_alone)
