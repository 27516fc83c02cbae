#!/bin/sh
# Removes a replica from nginx, so that it can be restarted without a failed request, and adds it again:
#   replica.sh down 3001
#   replica.sh up 3001
# Environment: NGINX_CONFIG is the file with the replicas, and NGINX is the command with its options.
set -eu
config=${NGINX_CONFIG:-/etc/nginx/conf.d/pegasus-ops.conf}
nginx=${NGINX:-nginx}
# nginx reads a variable of this name as a list of sockets, and would report that the list is invalid.
unset NGINX
state=${1:?"usage: replica.sh down|up PORT"}
port=${2:?"usage: replica.sh down|up PORT"}

case $state in
    down) sed -i -E "s/(server [^;]*:$port\b[^;]*);/\1 down;/" "$config" ;;
    up) sed -i -E "s/(server [^;]*:$port\b[^;]*) down;/\1;/" "$config" ;;
    *) echo "usage: replica.sh down|up PORT" >&2; exit 2 ;;
esac
$nginx -t -q
$nginx -s reload
# The old nginx workers finish their requests.
sleep 2
