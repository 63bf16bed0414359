type M::Lost = String
