import { type Node, child, children, maybeChild } from './source.ts'
import { type Environment, type Evaluator, Unknown, type Value, nameOf } from './values.ts'

/** Returns the name of a parameter. */
export function patternName(pattern: Node): string {
  if (pattern.type === 'Identifier') return pattern.name as string
  if (pattern.type === 'AssignmentPattern') return patternName(child(pattern, 'left'))
  if (pattern.type === 'RestElement') return patternName(child(pattern, 'argument'))
  return `argument@${pattern.start}`
}

/** Declares the names in a parameter or variable, with their values. */
export function bindPattern(
  interpreter: Evaluator,
  pattern: Node,
  value: Value,
  environment: Environment,
): void {
  const bind = (each: Node, part: Value) => bindPattern(interpreter, each, part, environment)
  switch (pattern.type) {
    case 'Identifier':
      environment.declare(pattern.name as string, value)
      return
    case 'AssignmentPattern':
      bind(
        child(pattern, 'left'),
        value === undefined ? interpreter.evaluate(child(pattern, 'right'), environment) : value,
      )
      return
    case 'RestElement':
      bind(child(pattern, 'argument'), value)
      return
    case 'ArrayPattern':
      children(pattern, 'elements').forEach((element: Node | null, index) => {
        if (element?.type === 'RestElement')
          bind(element, Array.isArray(value) ? value.slice(index) : new Unknown(`${nameOf(value)}[]`))
        else if (element)
          bind(element, Array.isArray(value) ? value[index] : new Unknown(`${nameOf(value)}[${index}]`))
      })
      return
    case 'ObjectPattern':
      for (const property of children(pattern, 'properties')) {
        if (property.type === 'RestElement') bind(property, value)
        else {
          const key = child(property, 'key')
          const name = property.computed
            ? interpreter.evaluate(key, environment)
            : ((key.name ?? key.value) as string)
          bind(maybeChild(property, 'value') ?? key, interpreter.property(value, name))
        }
      }
  }
}
