type M::Params = Integer[1, "a"]
