import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { refreshUser, useSession } from '@/lib/session/session.ts'
import { Button } from '@/components/ui/actions/button.tsx'
import { SMALL_ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Shown above every page while the role of the account could not be looked up. */
export function RoleUnknownBar() {
  const session = useSession()
  const [isPending, setIsPending] = useState(false)
  if (session.status !== 'signed-in' || !session.isRoleUnknown) return null
  const retry = async () => {
    setIsPending(true)
    await refreshUser().catch(() => null)
    setIsPending(false)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-yellow-soft px-4 py-1.5 text-label text-yellow-ink sm:px-6">
      <TriangleAlert {...SMALL_ICON} className="shrink-0" />
      <p role="alert" className="min-w-0 flex-1 basis-56">
        {t('Your role could not be looked up. For now, you can only view.')}
      </p>
      <Button size="sm" isPending={isPending} onClick={() => void retry()}>
        {t('Try again')}
      </Button>
    </div>
  )
}
