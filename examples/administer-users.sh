#!/bin/sh
# Administers users with curl and an admin key, signed by AWS Signature V4 (curl 7.75 or later).
#   POOLGATE_ADMIN_KEY=pg_<id>_<secret> sh administer-users.sh
# The key is the one that `poolgate serve` prints in development, or that `poolgate admin-key create` makes.
set -eu

url="${POOLGATE_URL:-http://localhost:3000}"
region="${POOLGATE_REGION:-us-east-1}"
email="${POOLGATE_EMAIL:-grace@example.com}"

# Its id and its secret are the two halves of the credentials: pg_<id>_<secret>. An id holds no "_".
case "${POOLGATE_ADMIN_KEY:?is not set}" in
  pg_*) pair="${POOLGATE_ADMIN_KEY#pg_}" && pair="${pair%%_*}:${pair#*_}" ;;
  *) pair="$POOLGATE_ADMIN_KEY" ;;
esac

ask() {
  method="$1"
  path="$2"
  shift 2
  curl --silent --show-error --fail-with-body --request "$method" \
    --aws-sigv4 "aws:amz:$region:poolgate" --user "$pair" \
    "$@" "$url$path"
  echo
}

echo 'Create a user; the temporary password is in this answer and in no other:'
ask POST /admin/users --json "{\"email\":\"$email\",\"attributes\":{\"name\":\"Grace\"}}"

echo 'Make a group, put the user into it, and look:'
ask POST /admin/groups --json '{"group_name":"staff","description":"Everybody who works here"}'
ask POST "/admin/users/$email/groups" --json '{"group_name":"staff"}'
ask GET '/admin/users?group=staff'

echo 'Shut the user out at once, and let the user in again:'
ask POST "/admin/users/$email/disable"
ask POST "/admin/users/$email/enable"

echo 'What happened to the user:'
ask GET "/admin/audit?user=$email"

echo 'Take everything away again:'
ask DELETE "/admin/users/$email" --json '{"confirm":true}'
ask DELETE /admin/groups/staff
