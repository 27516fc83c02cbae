import { useEffect, useState } from 'react'
import { cx } from '@/lib/class-names.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The pause between two pictures. Each picture is a call to the printer. */
const PAUSE_MS = 10_000

interface CameraPictureProps {
  /** The signed address of the camera's picture. */
  src: string
  /** The name of the printer. */
  name: string
  className: string
}

/**
 * The picture of a printer's camera. While the page is visible, a new picture is loaded ten seconds after the last one
 * has arrived.
 */
export function CameraPicture({ src, name, className }: CameraPictureProps) {
  const [number, setNumber] = useState(0)
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')

  useEffect(() => {
    if (state === 'loading') return
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return
      setNumber((last) => last + 1)
      setState('loading')
    }, PAUSE_MS)
    return () => clearInterval(timer)
  }, [state])

  return (
    <img
      // The number makes each address differ. The browser keeps the last picture until the next one has loaded.
      src={`${src}&picture=${number}`}
      alt={
        state === 'failed'
          ? t('The camera of {name} sends no picture', { name })
          : t('Camera of {name}', { name })
      }
      onLoad={() => setState('shown')}
      onError={() => setState('failed')}
      className={cx('rounded-control bg-sunken text-caption text-ink-3', className)}
    />
  )
}
