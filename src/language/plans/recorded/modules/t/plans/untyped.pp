plan t::untyped($anything = [1]) { return $anything }
