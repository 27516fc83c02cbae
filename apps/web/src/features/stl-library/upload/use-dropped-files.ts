import { useEffect, useEffectEvent, useState } from 'react'
import { logWarning } from '@/lib/browser/log.ts'
import { readDroppedFiles } from './dropped-files.ts'

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/** Accepts files dropped anywhere on the page, and reports whether files are being dragged over it. */
export function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isDragging, setIsDragging] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    const handlers: [keyof DocumentEventMap, (event: DragEvent) => void][] = [
      [
        'dragover',
        (event) => {
          if (!carriesFiles(event)) return
          // Otherwise the browser would open the file in place of the app.
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
            (files) => files.length > 0 && take(files),
            (error: unknown) => logWarning('What was dropped could not be read.', error),
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
