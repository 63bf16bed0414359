define delta::default($x = owner(), $y = shared()) { notify { "${x} ${y}": } }
