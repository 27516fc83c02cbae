import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'

export function NeedAccess() {
  return (
    <AlertBox tone="note" title="Need Access?">
      Contact your system administrator to get login credentials. Credentials are not displayed publicly.
    </AlertBox>
  )
}
