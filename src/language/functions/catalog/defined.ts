import { ClassType, fault, ResourceType, TypeType, type Value } from '../../pcore/index.ts';
import { type CallContext, defineFunction } from '../function.ts';

/**
 * `defined(*what)`: true when at least one of them is there: a variable (`'$name'`), a resource type, define or
 * class by name, a declared resource or class by reference.
 */
export const defined = defineFunction({
  name: 'defined',
  bytes: 'shown',
  dispatches: [
    {
      parameters: [
        {
          type: 'Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]]',
          name: 'vals',
          arity: 'required-repeated',
        },
      ],
      call: (context, values) => values.some((value) => isDefined(context, value)),
    },
  ],
});

function isDefined(context: CallContext, value: Value): boolean {
  if (typeof value === 'string') return isNameDefined(context, value);
  if (value instanceof ResourceType) return isResourceDefined(context, value);
  if (value instanceof ClassType) {
    if (value.className === undefined) throw fault('The given class type is a reference to all classes');
    return context.catalog.isClassDeclared(value.className);
  }
  return value instanceof TypeType && isWrappedTypeDefined(context, value);
}

function isNameDefined(context: CallContext, name: string): boolean {
  const variable = /^\$(.+)$/m.exec(name)?.[1];
  if (variable !== undefined) return context.scope.has(variable);
  if (name === '') return false;
  return name === 'main' || context.catalog.isTypeKnown(name) || context.catalog.isClassKnown(name);
}

function isResourceDefined(context: CallContext, { typeName, title }: ResourceType): boolean {
  if (typeName === undefined) throw fault('The given resource type is a reference to all kind of types');
  return title === undefined
    ? context.catalog.isTypeKnown(typeName)
    : context.catalog.hasResource(typeName, title);
}

/** `Type[File]` asks the same as `File`; `Type[Class[a]]` whether the class exists, declared or not. */
function isWrappedTypeDefined(context: CallContext, { type }: TypeType): boolean {
  if (type instanceof ResourceType) return isDefined(context, type);
  if (!(type instanceof ClassType)) return false;
  if (type.className === undefined) throw fault('The given class type is a reference to all classes');
  return context.catalog.isClassKnown(type.className);
}
