/* ground_stopwords.c: English function words. */
#include "metric/ground_terms.h"

#include <stdlib.h>
#include <string.h>

#define MAX_STOP 12

/* Sorted; without apostrophes. */
static const char *const words[] = {
    "a",          "about",   "above",   "after",    "again",     "against",
    "ain",        "all",     "also",    "although", "am",        "an",
    "and",        "another", "any",     "are",      "aren",      "arent",
    "as",         "at",      "be",      "because",  "been",      "before",
    "being",      "below",   "between", "both",     "but",       "by",
    "can",        "cannot",  "cant",    "could",    "couldn",    "couldnt",
    "d",          "did",     "didn",    "didnt",    "do",        "does",
    "doesn",      "doesnt",  "doing",   "don",      "dont",      "down",
    "during",     "each",    "eg",      "either",   "else",      "etc",
    "eur",        "even",    "ever",    "every",    "few",       "for",
    "from",       "further", "gbp",     "get",      "gets",      "got",
    "had",        "hadn",    "hadnt",   "has",      "hasn",      "hasnt",
    "have",       "haven",   "havent",  "having",   "he",        "her",
    "here",       "hers",    "herself", "hes",      "him",       "himself",
    "his",        "how",     "however", "i",        "id",        "ie",
    "if",         "ill",     "im",      "in",       "into",      "is",
    "isn",        "isnt",    "it",      "its",      "itself",    "ive",
    "jpy",        "just",    "lets",    "like",     "ll",        "m",
    "may",        "me",      "might",   "more",     "most",      "much",
    "must",       "my",      "myself",  "neither",  "no",        "nor",
    "not",        "now",     "of",      "off",      "oh",        "ok",
    "okay",       "on",      "once",    "one",      "only",      "onto",
    "or",         "other",   "our",     "ours",     "ourselves", "out",
    "over",       "own",     "per",     "please",   "pm",        "quite",
    "rather",     "re",      "really",  "s",        "same",      "shall",
    "she",        "should",  "shouldn", "shouldnt", "since",     "so",
    "some",       "such",    "t",       "than",     "thank",     "thanks",
    "that",       "thats",   "the",     "their",    "theirs",    "them",
    "themselves", "then",    "there",   "theres",   "these",     "they",
    "theyre",     "this",    "those",   "though",   "through",   "thus",
    "to",         "too",     "under",   "until",    "up",        "upon",
    "us",         "usd",     "ve",      "very",     "via",       "vs",
    "was",        "wasn",    "wasnt",   "we",       "well",      "were",
    "weren",      "werent",  "what",    "whats",    "when",      "where",
    "whether",    "which",   "while",   "who",      "whom",      "whose",
    "why",        "will",    "with",    "within",   "without",   "won",
    "wont",       "would",   "wouldn",  "wouldnt",  "yes",       "yet",
    "you",        "your",    "youre",   "yours",    "yourself",  "yourselves"};

static int compare(const void *key, const void *item) {
  return strcmp(key, *(const char *const *)item);
}

bool eh_stop_word(const char *word, size_t len) {
  char key[MAX_STOP + 1];
  if (len == 0 || len > MAX_STOP)
    return false;
  memcpy(key, word, len);
  key[len] = '\0';
  return bsearch(key, words, sizeof words / sizeof words[0], sizeof words[0],
                 compare) != NULL;
}
