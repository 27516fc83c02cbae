import { HelperCall, Sql, Unknown, type Value } from './values.ts'

/** Builds the SQL of a template from its strings and values, as the database driver does. */
export function composeSql(texts: readonly string[], values: readonly Value[], template: string): Sql {
  const parts: (string | null)[] = []
  const templates = new Set([template])
  texts.forEach((text, index) => {
    parts.push(text)
    if (index === values.length) return
    const value = values[index]
    if (value instanceof Sql) for (const each of value.templates) templates.add(each)
    parts.push(...partsOf(value))
  })
  return new Sql(parts, templates)
}

function partsOf(value: Value): (string | null)[] {
  if (value instanceof Sql) return [...value.parts]
  if (!(value instanceof HelperCall)) return [null]
  return [namesOf(value.value)]
}

/**
 * Returns quoted names. An unknown name is replaced with a name that no column has, so that the statement
 * fails.
 */
function namesOf(value: Value): string {
  if (Array.isArray(value)) return value.map(namesOf).join(', ')
  return typeof value === 'string'
    ? `"${value}"`
    : `"unknown ${value instanceof Unknown ? value.name : 'name'}"`
}
