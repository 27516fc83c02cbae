import { HelperCall, Sql, Unknown, type Value } from './values.ts'

/** Joins the texts and values of a template as the driver does. */
export function composeSql(texts: readonly string[], values: readonly Value[], template: string): Sql {
  const parts: (string | null)[] = []
  const templates = new Set([template])
  texts.forEach((text, index) => {
    parts.push(text)
    if (index === values.length) return
    const value = values[index]
    for (const sql of fragmentsOf(value)) for (const each of sql.templates) templates.add(each)
    parts.push(...partsOf(value, text))
  })
  return new Sql(parts, templates)
}

const fragmentsOf = (value: Value): Sql[] =>
  value instanceof Sql ? [value] : Array.isArray(value) ? value.flatMap(fragmentsOf) : []

function partsOf(value: Value, before: string): (string | null)[] {
  if (value instanceof Sql) return [...value.parts]
  if (Array.isArray(value) && value.some((each) => each instanceof Sql))
    return value.flatMap((each) => [' ', ...partsOf(each, before)])
  if (!(value instanceof HelperCall)) return [null]
  if (/\bin\s*$/i.test(before)) return ['(', null, ')']
  return [namesOf(value.value)]
}

/** Quoted names. An unknown one becomes a name that no column has, so that the statement fails. */
function namesOf(value: Value): string {
  if (Array.isArray(value)) return value.map(namesOf).join(', ')
  return typeof value === 'string'
    ? `"${value}"`
    : `"unknown ${value instanceof Unknown ? value.name : 'name'}"`
}
