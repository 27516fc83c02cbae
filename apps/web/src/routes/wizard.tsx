import { AdminPage } from '../app/admin-page.tsx'
import { productAddress } from '../app/tabs.ts'
import { WizardRoom } from '../features/products/wizard/wizard-room.tsx'

export function WizardRoute() {
  return (
    <AdminPage title="New Product">
      <WizardRoom productAddress={productAddress} />
    </AdminPage>
  )
}
