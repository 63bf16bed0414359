type Alpha = TypeSet[{
  pcore_version => '1.0.0',
  version => '1.0.0',
  types => { Car => Enum['small', 'large'], Wheels => Integer[1, 4] },
}]
