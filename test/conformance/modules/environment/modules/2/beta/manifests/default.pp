define beta::default($x = owner(), $y = shared()) { notify { "${x} ${y}": } }
