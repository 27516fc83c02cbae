/**
 * Comments, texts, quoted names and function bodies. A semicolon inside one of them does not end a statement.
 */
const TOKENS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^'"$;/-]+|[\s\S]/g

const COMMENTS = /--[^\n]*|\/\*[\s\S]*?\*\//g

const isComment = (token: string): boolean => token.startsWith('--') || token.startsWith('/*')

/**
 * Splits SQL into statements, each with its preceding comments and without its semicolon. Does not understand
 * SQL-standard function bodies (`begin atomic`), which our migrations do not use.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === ';') {
      statements.push(statement.trim())
      statement = ''
    } else statement += token
  }
  return [...statements, statement.trim()].filter((part) => withoutComments(part).trim() !== '')
}

/** Returns a statement without its comments. Quoted texts are kept, even if they look like comments. */
export const withoutComments = (statement: string): string =>
  [...statement.matchAll(TOKENS)].map(([token]) => (isComment(token) ? ' ' : token)).join('')

/** Returns the text of the comments before a statement, one entry for each line. */
export function commentsBefore(statement: string): string[] {
  const start = statement.length - statement.replace(/^(?:\s*(?:--[^\n]*|\/\*[\s\S]*?\*\/))+/, '').length
  return [...statement.slice(0, start).matchAll(COMMENTS)].map(([comment]) =>
    comment.replace(/^(?:--|\/\*)|\*\/$/g, '').trim(),
  )
}
