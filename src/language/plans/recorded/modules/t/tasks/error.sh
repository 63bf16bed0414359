#!/bin/sh
echo '{"_error": {"msg": "own error", "kind": "own/kind"}, "x": 1}'
exit 1
