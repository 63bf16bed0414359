type M::Tree = Variant[Integer, Array[M::Tree]]
