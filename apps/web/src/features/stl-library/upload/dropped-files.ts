/** File types taken from a dropped folder; for files picked one by one, the server decides. */
const MODEL_NAME = /\.(stl|3mf|obj|zip)$/i

/** More files than anybody drops on purpose. */
const MAX_FILES = 1000

/**
 * The files of a drop, with those in folders that look like models. Call it while the event is handled: afterwards
 * the browser has released the data.
 */
export function readDroppedFiles(transfer: DataTransfer): Promise<File[]> {
  const dropped = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ folder: folderOf(item), file: item.getAsFile() }))
  return collect(dropped)
}

const folderOf = (item: DataTransferItem): FileSystemDirectoryEntry | null => {
  const entry = item.webkitGetAsEntry?.()
  return entry?.isDirectory ? (entry as FileSystemDirectoryEntry) : null
}

async function collect(
  dropped: readonly { folder: FileSystemDirectoryEntry | null; file: File | null }[],
): Promise<File[]> {
  const files: File[] = []
  for (const { folder, file } of dropped) {
    if (folder) await addFolder(folder, files)
    else if (file) files.push(file)
  }
  return files
}

async function addFolder(folder: FileSystemDirectoryEntry, files: File[]): Promise<void> {
  const reader = folder.createReader()
  // The browser returns a folder in batches; an empty batch is its end.
  for (let part = await readPart(reader); part.length > 0; part = await readPart(reader))
    for (const entry of part) {
      if (files.length >= MAX_FILES) return
      if (entry.isDirectory) await addFolder(entry as FileSystemDirectoryEntry, files)
      else if (MODEL_NAME.test(entry.name) && !entry.name.startsWith('.'))
        files.push(await readFile(entry as FileSystemFileEntry))
    }
}

const readPart = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject))

const readFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))
