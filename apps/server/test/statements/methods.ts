import {
  type Evaluator,
  Closure,
  Handle,
  Sql,
  Unknown,
  type Value,
  isPrimitive,
  nameOf,
  textOf,
} from './values.ts'

/**
 * Returns the elements of a list. An unknown list is tried without elements and with two, because two elements are
 * enough to see how they are joined.
 */
function elementsOf(interpreter: Evaluator, value: Value): Value[] {
  if (Array.isArray(value)) return value
  const name = nameOf(value)
  const isEmpty = interpreter.choices.choose(`is empty: ${name}`, 2) === 1
  return isEmpty ? [] : [new Unknown(`${name}[0]`), new Unknown(`${name}[1]`)]
}

/** Calls a method. Only methods of arrays are simulated. The result of any other method is an Unknown. */
export function callMethod(
  interpreter: Evaluator,
  object: Value,
  name: string,
  values: readonly Value[],
): Value {
  const [first, second] = values
  const apply = (element: Value, index: number) =>
    first instanceof Closure
      ? interpreter.call(first, [element, index])
      : new Unknown(`${nameOf(first)}(${nameOf(element)})`)
  if (object instanceof Handle) return callHandle(interpreter, object, name, values)
  if (first instanceof Closure) {
    switch (name) {
      case 'map':
        return elementsOf(interpreter, object).map(apply)
      case 'flatMap':
        return elementsOf(interpreter, object).map(apply).flat() as Value[]
      case 'reduce':
        return reduce(interpreter, elementsOf(interpreter, object), first, values.length > 1 ? [second] : [])
      case 'filter':
        if (Array.isArray(object))
          return object.filter((each, index) => interpreter.isTruthy(apply(each, index)))
        break
      default:
    }
  }
  if (Array.isArray(object)) {
    if (name === 'join' && object.every(isPrimitive)) return object.join(textOf(first ?? ','))
    if (name === 'toSorted' || name === 'sort' || name === 'slice') return object
    if (name === 'concat') return [...object, ...elementsOf(interpreter, first)]
  }
  if (object instanceof Unknown && object.name === 'Object' && name === 'entries' && first instanceof Map)
    return [...first].map(([key, value]) => [key, value])
  // The method may call these functions, as a transaction or a library does, so run them here.
  for (const value of values) if (value instanceof Closure) interpreter.call(value, null)
  return new Unknown(`${nameOf(object)}.${name}(${values.map(nameOf).join()})`)
}

function callHandle(interpreter: Evaluator, handle: Handle, name: string, values: readonly Value[]): Value {
  const [first] = values.map((value) => interpreter.resolve(value))
  if (name === 'unsafe' && typeof first === 'string') return new Sql([first], new Set())
  for (const value of values) if (value instanceof Closure) interpreter.call(value, null)
  return new Unknown(`${handle.name}.${name}(${values.map(nameOf).join()})`)
}

function reduce(
  interpreter: Evaluator,
  elements: readonly Value[],
  step: Closure,
  initial: readonly [] | readonly [Value],
): Value {
  const [start, ...rest] = [...initial, ...elements]
  return rest.reduce<Value>((all, element, index) => interpreter.call(step, [all, element, index]), start)
}
