import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { SMALL_ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'
import { leaveDemo } from '@/lib/session/demo-visit.ts'

const SHOP = '/'
/** The address of the shop's System page, with the question whether to remove the demo. */
const REMOVAL = '/?tab=system&remove-demo=1'

/** Shown above every page of a demo. */
export function DemoBanner() {
  const [leaving, setLeaving] = useState<string | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const leave = (address: string) => {
    setLeaving(address)
    setHasFailed(false)
    leaveDemo(address).catch(() => {
      setLeaving(null)
      setHasFailed(true)
    })
  }
  return (
    <aside
      aria-label={t('Demo')}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-yellow-soft px-4 py-1.5 text-label text-yellow-ink sm:px-6 phone:gap-x-1 phone:py-0 phone:pe-1.5"
    >
      <FlaskConical {...SMALL_ICON} className="shrink-0 phone:hidden" />
      <p className="min-w-0 flex-1 basis-56 phone:basis-auto">
        {/* A phone has room for one short line. */}
        <strong className="hidden font-semibold phone:inline" aria-hidden>
          {t('Demo')}
        </strong>
        <strong className="font-semibold phone:sr-only">
          {t('This is the demo. Nothing here touches your shop.')}
        </strong>{' '}
        {hasFailed ? <span role="alert">{t('The server did not respond. Please try again.')}</span> : null}
      </p>
      <div className="flex gap-2 phone:gap-0">
        <Button
          size="sm"
          className="phone:border-transparent phone:bg-transparent phone:px-2 phone:shadow-none"
          isPending={leaving === SHOP}
          disabled={leaving !== null}
          onClick={() => leave(SHOP)}
        >
          {t('Back to your shop')}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="text-yellow-ink phone:px-2"
          isPending={leaving === REMOVAL}
          disabled={leaving !== null}
          onClick={() => leave(REMOVAL)}
        >
          {t('Remove the demo')}
        </Button>
      </div>
    </aside>
  )
}
