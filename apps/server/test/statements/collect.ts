import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Choices, tryEachChoice } from './choices.ts'
import { Interpreter } from './interpreter.ts'
import { type Node, type SourceFile, child, readSource, walk } from './source.ts'
import type { Sql } from './values.ts'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))

const sources = (): SourceFile[] =>
  globSync('**/*.ts', { cwd: SOURCES, exclude: ['**/*.test.ts'] })
    .toSorted()
    .map((path) => readSource(join(SOURCES, path), path))

/** Returns the source files of the server that contain SQL templates. */
export const sourcesWithSql = (): SourceFile[] => sources().filter(({ templates }) => templates.size > 0)

/** Returns the names of the source files that call `unsafe` with a string. */
export const sourcesWithUnsafe = (): string[] =>
  sources()
    .filter(({ program }) => [...walk(program)].some(isUnsafeCall))
    .map(({ name }) => name)

function isUnsafeCall(node: Node): boolean {
  const callee = node.type === 'CallExpression' ? child(node, 'callee') : null
  return callee?.type === 'MemberExpression' && child(callee, 'property').name === 'unsafe'
}

/**
 * Returns each SQL text that the functions of a file build, once. `firstColumn` returns a writable column of a table.
 */
export function collectSql(file: SourceFile, firstColumn: (table: string) => string): Sql[] {
  const found = new Map<string, Sql>()
  const visit = (choices: Choices, index: number): number => {
    const interpreter = new Interpreter(choices, firstColumn)
    interpreter.moduleOf(file)
    const functions = [...interpreter.uncalled].filter(({ environment }) => environment.file === file)
    const called = functions[index]
    if (called) interpreter.callAll(called)
    for (const sql of interpreter.statements) found.set(`${[...sql.templates].join()} ${sql.text}`, sql)
    return functions.length
  }
  const count = visit(new Choices(new Map()), 0)
  for (let index = 0; index < count; index += 1) tryEachChoice((choices) => visit(choices, index))
  return [...found.values()]
}
