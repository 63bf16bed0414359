#!/bin/sh
echo "{\"message\": \"$PT_message\", \"number\": $PT_number}"
