import { useEffect, useEffectEvent, useState } from 'react'

interface DroppedFileOptions {
  isEnabled: boolean
  onFile: (file: File) => void
}

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/** Takes a file dropped anywhere on the page, and tells whether one is being dragged over it. */
export function useDroppedFile({ isEnabled, onFile }: DroppedFileOptions): boolean {
  const [isDragging, setIsDragging] = useState(false)
  const take = useEffectEvent(onFile)
  useEffect(() => {
    if (!isEnabled) return
    const handlers: [keyof DocumentEventMap, (event: DragEvent) => void][] = [
      [
        'dragover',
        (event) => {
          if (!carriesFiles(event)) return
          // Without this the browser would open the file in place of the app.
          event.preventDefault()
          setIsDragging(true)
        },
      ],
      ['dragleave', (event) => event.relatedTarget === null && setIsDragging(false)],
      [
        'drop',
        (event) => {
          setIsDragging(false)
          if (!carriesFiles(event)) return
          event.preventDefault()
          const [file] = event.dataTransfer?.files ?? []
          if (file) take(file)
        },
      ],
    ]
    for (const [name, handler] of handlers) document.addEventListener(name, handler as EventListener)
    return () => {
      setIsDragging(false)
      for (const [name, handler] of handlers) document.removeEventListener(name, handler as EventListener)
    }
  }, [isEnabled])
  return isDragging
}
