import { CameraOff } from 'lucide-react'
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
  fit: 'cover' | 'contain'
  className: string
}

/**
 * The picture of a printer's camera. While the page is visible, a new picture is loaded ten seconds after the last one
 * has arrived. A printer that is switched off sends no picture, and a faint symbol is shown instead.
 */
export function CameraPicture({ src, name, fit, className }: CameraPictureProps) {
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

  // False after a failure. The symbol then stays until a picture has loaded.
  const [hasPicture, setHasPicture] = useState(true)
  const missing = t('The camera of {name} sends no picture', { name })
  return (
    <span className={cx('relative block shrink-0 overflow-hidden rounded-control bg-sunken', className)}>
      <img
        // The number makes each address different, so that the browser loads a new picture. Until then, it shows the
        // last one.
        src={`${src}&picture=${number}`}
        alt={hasPicture ? t('Camera of {name}', { name }) : missing}
        title={hasPicture ? undefined : missing}
        onLoad={() => {
          setState('shown')
          setHasPicture(true)
        }}
        onError={() => {
          setState('failed')
          setHasPicture(false)
        }}
        className={cx(
          'size-full',
          fit === 'cover' ? 'object-cover' : 'object-contain',
          hasPicture ? null : 'opacity-0',
        )}
      />
      {hasPicture ? null : (
        <CameraOff
          size={24}
          strokeWidth={1.4}
          className="pointer-events-none absolute inset-0 m-auto text-ink-3"
          aria-hidden
        />
      )}
    </span>
  )
}
