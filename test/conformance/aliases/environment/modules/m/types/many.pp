type M::Many = Integer
type M::More = String
