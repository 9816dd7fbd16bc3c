/* test_sentences.c: where sentences begin and end. */
#include "text/sentences.h"

#include "base/buf.h"
#include "check_main.h"

#include <string.h>

static void check(const char *text, const char *want) {
  struct eh_span span;
  struct eh_buf out;
  size_t pos = 0, last = 0;
  eh_buf_init(&out, 1000);
  while (eh_sentences_next(text, strlen(text), &pos, &span)) {
    ck_assert_uint_ge(span.first, last);
    ck_assert_uint_gt(span.end, span.first);
    last = span.end;
    if (out.len > 0)
      eh_buf_addc(&out, '|');
    eh_buf_add(&out, text + span.first, span.end - span.first);
  }
  ck_assert_str_eq(out.data, want);
  eh_buf_free(&out);
}

START_TEST(plain_sentences) {
  check("", "");
  check(" \n ", "");
  check("One", "One");
  check("One. Two! Three? Four", "One.|Two!|Three?|Four");
  check("  One.   Two.  ", "One.|Two.");
  check("one. two. three", "one.|two.|three");
  check("Really?! Yes.", "Really?!|Yes.");
  check("... One. --- Two.", "One.|--- Two.");
}
END_TEST

START_TEST(stops_inside_words) {
  check("It rose 3.5% to $1,234.50. Then it fell.",
        "It rose 3.5% to $1,234.50.|Then it fell.");
  check("See example.com or BRK.B now. Ok.",
        "See example.com or BRK.B now.|Ok.");
  check("The price is 5. The volume is 3.", "The price is 5.|The volume is 3.");
}
END_TEST

START_TEST(abbreviations) {
  check("Apple Inc. rose. Good.", "Apple Inc. rose.|Good.");
  check("I like Apple Inc. The price rose.",
        "I like Apple Inc.|The price rose.");
  check("Apple Inc. Class A rose.", "Apple Inc. Class A rose.");
  check("The U.S. Steel price. It rose.", "The U.S. Steel price.|It rose.");
  check("It fell in the U.S. It rose elsewhere.",
        "It fell in the U.S.|It rose elsewhere.");
  check("Mr. The and Dr. No met.", "Mr. The and Dr. No met.");
  check("Use a fund, e.g. VOO. Fine.", "Use a fund, e.g. VOO.|Fine.");
  check("It is No. 5 here. Is it? The answer is no. So it is.",
        "It is No. 5 here.|Is it?|The answer is no.|So it is.");
  check("J. P. Morgan rose.", "J. P. Morgan rose.");
  check("Tesla, Inc.", "Tesla, Inc.");
}
END_TEST

START_TEST(quotes_brackets_references) {
  check("He said \"Buy.\" Then he left.", "He said \"Buy.\"|Then he left.");
  check("It rose (a lot.) It fell.", "It rose (a lot.)|It fell.");
  check("**It rose.** It fell.", "**It rose.**|It fell.");
  check("It rose.[1] It fell.[23]", "It rose.[1]|It fell.[23]");
}
END_TEST

START_TEST(ellipses) {
  check("Well... it rose. Wait... It fell.",
        "Well... it rose.|Wait...|It fell.");
  check("Well\xE2\x80\xA6 it rose.", "Well\xE2\x80\xA6 it rose.");
}
END_TEST

START_TEST(lines) {
  check("Price: 5\nVolume: 3", "Price: 5|Volume: 3");
  check("This is wrapped\ntext. Yes.", "This is wrapped\ntext.|Yes.");
  check("A heading\n\nsome text", "A heading|some text");
  check("One\r\n\r\ntwo", "One|two");
  check("One\r\ntwo", "One\r\ntwo");
}
END_TEST

START_TEST(lists) {
  check("Facts:\n- Apple rose.\n- Tesla fell\n* and more",
        "Facts:|Apple rose.|Tesla fell|and more");
  check("1. First\n2) Second 3. Third", "First|Second 3.|Third");
  check("# Title\n> quoted", "Title|quoted");
  check("-5 is negative.", "-5 is negative.");
  check("2024. A year", "2024.|A year");
  check("\xE2\x80\xA2 A\n\xE2\x80\xA2 B", "A|B");
}
END_TEST

START_TEST(other_scripts) {
  check("\xE4\xBD\xA0\xE5\xA5\xBD\xE3\x80\x82\xE5\x86\x8D\xE8\xA7\x81\xEF\xBC"
        "\x81ok",
        "\xE4\xBD\xA0\xE5\xA5\xBD\xE3\x80\x82|\xE5\x86\x8D\xE8\xA7\x81\xEF\xBC"
        "\x81|ok");
  check("\xC3\x89t\xC3\xA9. \xC3\x80 nous.",
        "\xC3\x89t\xC3\xA9.|\xC3\x80 nous.");
}
END_TEST

/* Every letter of any text is in exactly one sentence. */
START_TEST(nothing_is_lost) {
  static const char bytes[] = "aB1. !?\n\r-*\"[]'\xE3\x80\x82\xFF";
  unsigned state = 7;
  for (int round = 0; round < 20000; round++) {
    char text[20];
    struct eh_span span;
    size_t pos = 0, letters = 0, found = 0;
    for (size_t i = 0; i < sizeof text; i++) {
      state = state * 1103515245 + 12345;
      text[i] = bytes[(state >> 16) % (sizeof bytes - 1)];
      letters += text[i] == 'a' || text[i] == 'B';
    }
    while (eh_sentences_next(text, sizeof text, &pos, &span))
      for (size_t i = span.first; i < span.end; i++)
        found += text[i] == 'a' || text[i] == 'B';
    ck_assert_uint_eq(found, letters);
  }
}
END_TEST

CHECK_MAIN(sentences, plain_sentences, stops_inside_words, abbreviations,
           quotes_brackets_references, ellipses, lines, lists, other_scripts,
           nothing_is_lost)
