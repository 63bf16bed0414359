define alpha::default($x = owner(), $y = shared()) { notify { "${x} ${y}": } }
