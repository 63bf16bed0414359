define gamma::default($x = owner(), $y = shared()) { notify { "${x} ${y}": } }
