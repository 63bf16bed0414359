type M::Range = Integer[5, 1]
