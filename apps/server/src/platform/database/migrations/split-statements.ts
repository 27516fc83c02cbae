/**
 * Matches the next token of SQL. Comments, texts, quoted names and function bodies are single tokens, because a
 * semicolon inside them does not end a statement. For a block comment, it matches only the first two characters.
 */
const TOKEN =
  /--[^\n]*|\/\*|(?<=(?<![\w$])e)'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<![\w$])\$((?:[a-z_]\w*)?)\$[\s\S]*?\$\1\$|;|[^'"$;/-]+|[\s\S]/iy

const isComment = (token: string): boolean => token.startsWith('--') || token.startsWith('/*')

/** Whether a token is a text, a quoted name or a function body. */
const isQuoted = (token: string): boolean => token.length > 1 && /^['"$]/.test(token)

/** Returns the position after a block comment, which can contain other block comments. */
function endOfComment(text: string, start: number): number {
  let depth = 0
  for (const { 0: mark, index } of text.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1
    if (depth === 0) return start + index + mark.length
  }
  return text.length
}

function tokensOf(text: string): string[] {
  const pattern = new RegExp(TOKEN)
  const tokens: string[] = []
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex
    const [token = ''] = pattern.exec(text) ?? []
    if (token === '/*') pattern.lastIndex = endOfComment(text, start)
    tokens.push(text.slice(start, pattern.lastIndex))
  }
  return tokens
}

/**
 * Splits SQL into statements, each with its preceding comments and without its semicolon. Does not understand
 * SQL-standard function bodies (`begin atomic`), which our migrations do not use.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const token of tokensOf(text)) {
    if (token === ';') {
      statements.push(statement.trim())
      statement = ''
    } else statement += token
  }
  return [...statements, statement.trim()].filter((part) => withoutComments(part).trim() !== '')
}

/** Returns a statement without its comments. Quoted texts are kept, even if they look like comments. */
export const withoutComments = (statement: string): string =>
  tokensOf(statement)
    .map((token) => (isComment(token) ? ' ' : token))
    .join('')

/**
 * Returns SQL without comments, and with single spaces. Texts, quoted names and function bodies are kept as they are,
 * with the comments in them.
 */
export function normalizeSql(text: string): string {
  let sql = ''
  for (const token of tokensOf(text)) {
    const part = isComment(token) ? ' ' : isQuoted(token) ? token : token.replaceAll(/\s+/g, ' ')
    sql += sql.endsWith(' ') ? part.trimStart() : part
  }
  return sql.trim()
}

/** Returns the text of the comments before a statement, one entry for each line. */
export function commentsBefore(statement: string): string[] {
  const tokens = tokensOf(statement).filter((token) => token.trim() !== '')
  const first = tokens.findIndex((token) => !isComment(token))
  return tokens
    .slice(0, first === -1 ? tokens.length : first)
    .map((comment) => comment.replace(/^(?:--|\/\*)|\*\/$/g, '').trim())
}
