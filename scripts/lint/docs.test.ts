import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { inProject } from '../boot/project.mjs'

const DOCS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(inProject('docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
].filter((name) => name.endsWith('.md'))

const SOURCES = globSync('{apps,packages,e2e,scripts,bench,examples}/**/*.{ts,tsx,mjs,sql,css}', {
  cwd: inProject(),
  exclude: ['**/node_modules', '**/dist'],
})

const read = (doc: string): string => readFileSync(inProject(doc), 'utf8')

/** Returns GitHub's anchor for a heading: in lower case, without punctuation, and with hyphens instead of spaces. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

it('every link in the docs leads to an existing file and heading', () => {
  const broken = DOCS.flatMap((doc) =>
    [...read(doc).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(
      ([link, file = '', anchor]) => {
        const target = file ? join(dirname(doc), file) : doc
        if (!existsSync(inProject(target))) return [`${doc}: ${link}`]
        return anchor && !anchorsIn(read(target)).includes(anchor) ? [`${doc}: ${link}`] : []
      },
    ),
  )
  expect(broken).toEqual([])
})

it('every source file that the docs mention exists', () => {
  const paths = DOCS.flatMap((doc) =>
    [...read(doc).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|sql|css))`/g)].map(([, path = '']) => ({
      doc,
      path,
    })),
  ).filter(({ path }) => !path.includes('00NN'))
  expect(paths.length).toBeGreaterThan(100)
  const missing = paths.filter(({ path }) => !SOURCES.some((source) => `/${source}`.endsWith(`/${path}`)))
  expect(missing).toEqual([])
})

it('the docs link to the last definition of each database function', () => {
  const migrations = SOURCES.filter((source) => source.includes('/migrations/')).sort()
  const wrong = DOCS.flatMap((doc) =>
    [...read(doc).matchAll(/((?:`\w+`(?: and )?)+),? (?:both )?last defined in `([^`]+)`/g)].flatMap(
      ([, names = '', file = '']) =>
        [...names.matchAll(/`(\w+)`/g)]
          .map(([, name = '']) => ({ name, file, last: lastDefinition(migrations, name) }))
          .filter(({ last }) => !last?.endsWith(file)),
    ),
  )
  expect(wrong).toEqual([])
})

const lastDefinition = (migrations: readonly string[], name: string): string | undefined =>
  migrations.findLast((file) =>
    new RegExp(`create (?:or replace )?function ${name}\\b`, 'i').test(read(file)),
  )

it('the glossary defines each word once', () => {
  // The tables after this heading define no words. They list names of modules and things.
  const [definitions = ''] = read('docs/glossary.md').split('## Modules with different names')
  const words = [...definitions.matchAll(/^\| ([^|]+) \| .*\|$/gm)]
    .flatMap(([, words = '']) => words.split(', '))
    .filter((word) => !['word', '---'].includes(word) && !word.startsWith('`'))
  expect(words.length).toBeGreaterThan(100)
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
})
