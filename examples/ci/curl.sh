#!/bin/sh
# Starts a suite with curl and jq, waits for its end, and exits as the runhook command does:
#   RUNHOOK_URL=… RUNHOOK_API_TOKEN=… SUITE_ID=… ./curl.sh [KEY]
# The same KEY is the same run, so that a retry after a lost answer never starts a second one.
set -eu
key=${1:-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}
deadline=$(($(date +%s) + ${TIMEOUT_SECONDS:-1800}))

# The token comes by standard input: it is not in the list of processes. Server restarts, 429 and 503 are waited out.
# --fail: with the body of a refused try, the output of a retry would hold two.
call() {
  printf 'header = "Authorization: Token %s"\n' "$RUNHOOK_API_TOKEN" |
    curl --config - --silent --show-error --fail --max-time 30 \
      --retry 10 --retry-delay "${RETRY_DELAY:-3}" --retry-connrefused "$@"
}

run=$(call --request POST "$RUNHOOK_URL/api/v2/suiteruns/" \
  --header "Content-Type: application/json" --header "Idempotency-Key: $key" \
  --data "{\"suiteId\": \"$SUITE_ID\"}") || { echo "The run could not be started." >&2; exit 2; }
id=$(printf '%s' "$run" | jq -r .id)
echo "suiteRunId: $id"

while :; do
  answer=$(call "$RUNHOOK_URL/api/v2/suiteruns/$id/status/") || { echo "The server does not answer." >&2; exit 3; }
  status=$(printf '%s' "$answer" | jq -r .status)
  case $status in
    passed) echo "$status"; exit 0 ;;
    failed) echo "$status"; exit 1 ;;
    error | skipped) echo "$status"; exit 3 ;;
    stopped) echo "$status"; exit 4 ;;
  esac
  if [ "$(date +%s)" -ge "$deadline" ]; then
    echo "Not over in time; it goes on: $(printf '%s' "$answer" | jq -r .webappUrl)" >&2
    exit 124
  fi
  sleep "${POLL_SECONDS:-3}"
done
