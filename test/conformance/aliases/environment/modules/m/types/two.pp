type M::Two = M::One
