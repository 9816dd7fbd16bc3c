# cases.awk: N test cases as JSONL, the same bytes every time.
#   awk -v n=1000 -f cases.awk
# Every input differs; the mock's JSON answer passes them all.
BEGIN {
  split("a traveller|a pupil of nine|the archivist|an engineer|a nurse", who, "|")
  split("briefly|in one paragraph|and name the river|as to a newcomer", how, "|")
  for (i = 1; i <= n; i++)
    printf "{\"id\": \"case-%07d\", \"input\": \"Case %d: %s asks what the capital of France is; " \
      "answer %s.\", \"expected\": {\"keywords\": [\"Paris\", \"Seine\"]}, " \
      "\"metadata\": {\"tag\": \"geo\"}}\n", i, i, who[i % 5 + 1], how[i % 4 + 1]
}
