#!/bin/sh
# Looks at the pages of the website. Fails when there is none, or when one is smaller than it may be.

pages=0
failures=0

for page in $(find "$PT_directory" -name '*.html' 2> /dev/null | sort); do
  pages=$((pages + 1))
  size=$(wc -c < "$page" | tr -d ' ')
  if [ "$PT_level" = names ]; then echo "${page##*/}"; else echo "${page##*/}: $size bytes"; fi
  if [ "$size" -lt "$PT_smallest" ]; then
    echo "${page##*/} is smaller than $PT_smallest bytes"
    failures=$((failures + 1))
    if [ "$PT_fail_fast" = true ]; then break; fi
  fi
done

echo "$pages pages, $failures failures"
[ "$pages" -gt 0 ] && [ "$failures" -eq 0 ]
