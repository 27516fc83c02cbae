/**
 * The localStorage key of this browser's unfinished uploads. Files are identified by name, size and time of
 * the last change, so that their bytes need not be read.
 */
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
    // The storage is full. The upload continues, but cannot be resumed after a reload.
  }
}

/**
 * Returns the URL path of the file's unfinished upload; null if there is none. The server decides whether the upload
 * still exists.
 */
export const recallUpload = (file: FileMarks): string | null =>
  read().find(([marks]) => marks === marksOf(file))?.[1] ?? null

export const forgetUpload = (file: FileMarks): void =>
  write(read().filter(([marks]) => marks !== marksOf(file)))

export function rememberUpload(file: FileMarks, path: string): void {
  forgetUpload(file)
  write([...read(), [marksOf(file), path]])
}
