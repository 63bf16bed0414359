plan t::type_alias(T::Mode $mode = 'fast') { return $mode }
