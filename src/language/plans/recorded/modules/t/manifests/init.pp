class t (String $p = 'default') { notify { "class t ${p}": } }
