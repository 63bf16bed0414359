import { fault } from '../../pcore/index.ts';
import { defineFunction, type ParameterSpec } from '../function.ts';

const TYPE: ParameterSpec = { type: 'Type[Annotation]', name: 'type' };
const VALUE: ParameterSpec = { type: 'Any', name: 'value' };

/** `annotate(type, value, ...)`: attaches an annotation to an object. There are no annotations in what is compiled here. */
export const annotate = defineFunction({
  name: 'annotate',
  localTypes: { Annotation: 'Object', Pcore: 'Object', 'Pcore::MemberName': 'Pattern[/\\A[a-z_]\\w*\\z/]' },
  dispatches: [
    {
      parameters: [TYPE, VALUE],
      block: { type: 'Callable[0, 0]', name: 'block', isOptional: true },
      call: refuse,
    },
    {
      parameters: [
        TYPE,
        VALUE,
        { type: 'Variant[Enum[clear],Hash[Pcore::MemberName,Any]]', name: 'annotation_hash' },
      ],
      call: refuse,
    },
    {
      parameters: [
        { type: 'Type[Pcore]', name: 'type' },
        VALUE,
        { type: 'Hash[Type[Annotation], Hash[Pcore::MemberName,Any]]', name: 'annotations' },
      ],
      call: refuse,
    },
  ],
});

function refuse(): never {
  throw fault('annotate(): annotations are not supported');
}
