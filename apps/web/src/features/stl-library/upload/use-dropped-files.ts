import { useEffect, useEffectEvent, useState } from 'react'
import { logWarning } from '@/lib/browser/log.ts'

/**
 * The file types that are accepted from a dropped folder. Files outside folders are checked by the server.
 */
const MODEL_NAME = /\.(stl|3mf|obj|zip)$/i

/** The maximum number of files from one drop. A larger drop is surely a mistake. */
const MAX_FILES = 1000

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/** Accepts files that are dropped anywhere on the page. Returns whether files are being dragged over it. */
export function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isDragging, setIsDragging] = useState(false)
  const addFiles = useEffectEvent(onFiles)
  useEffect(() => {
    const handlers: [keyof DocumentEventMap, (event: DragEvent) => void][] = [
      [
        'dragover',
        (event) => {
          if (!carriesFiles(event)) return
          // Without this, the browser would leave the app and open the file.
          event.preventDefault()
          setIsDragging(true)
        },
      ],
      ['dragleave', (event) => event.relatedTarget === null && setIsDragging(false)],
      [
        'drop',
        (event) => {
          setIsDragging(false)
          if (!carriesFiles(event) || !event.dataTransfer) return
          event.preventDefault()
          readDroppedFiles(event.dataTransfer).then(
            (files) => files.length > 0 && addFiles(files),
            (error: unknown) => logWarning('The dropped files could not be read.', error),
          )
        },
      ],
    ]
    for (const [name, handler] of handlers) document.addEventListener(name, handler as EventListener)
    return () => {
      setIsDragging(false)
      for (const [name, handler] of handlers) document.removeEventListener(name, handler as EventListener)
    }
  }, [])
  return isDragging
}

/**
 * Returns the dropped files, including files in folders that look like models. Call this inside the event
 * handler, because the browser releases the data afterwards.
 */
function readDroppedFiles(transfer: DataTransfer): Promise<File[]> {
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
  // The browser returns the contents of a folder in batches. An empty batch is the last one.
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
