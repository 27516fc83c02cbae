/** Unfinished uploads of this browser, by what tells files apart without reading them. */
const KEY = 'pegasus-uploads'
const MAX_KNOWN = 50

type FileMarks = Pick<File, 'name' | 'size' | 'lastModified'>
type Known = readonly (readonly [marks: string, path: string])[]

const marksOf = ({ name, size, lastModified }: FileMarks): string => `${size} ${lastModified} ${name}`

function read(): Known {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(known) ? (known as Known) : []
  } catch {
    return []
  }
}

function write(known: Known): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(known.slice(-MAX_KNOWN)))
  } catch {
    // Without room the upload still goes on, but not after a reload.
  }
}

/** The address of the file's unfinished upload; null without one. The server decides whether it still exists. */
export const recallUpload = (file: FileMarks): string | null =>
  read().find(([marks]) => marks === marksOf(file))?.[1] ?? null

export const forgetUpload = (file: FileMarks): void =>
  write(read().filter(([marks]) => marks !== marksOf(file)))

export function rememberUpload(file: FileMarks, path: string): void {
  forgetUpload(file)
  write([...read(), [marksOf(file), path]])
}
