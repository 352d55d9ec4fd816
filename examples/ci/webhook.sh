#!/bin/sh
# Starts a run by its webhook URL, and nothing else:  WEBHOOK_URL=… ./webhook.sh [KEY]
# The same KEY is the same run, so that curl's retries, and a repeated job, never start a second one.
set -eu
key=${1:-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}

# The URL is a secret: by standard input it is not in the list of processes.
printf 'url = "%s"\n' "$WEBHOOK_URL" |
  curl --config - --request POST --header "Idempotency-Key: $key" --silent --show-error --fail \
    --max-time 10 --retry 5 --retry-delay "${RETRY_DELAY:-1}" --retry-connrefused
echo
