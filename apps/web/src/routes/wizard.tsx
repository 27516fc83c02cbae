import { AdminPage } from '../app/admin-page.tsx'
import { productAddress } from '../app/tabs.ts'
import { WizardPage } from '../features/products/wizard/wizard-page.tsx'

export function WizardRoute() {
  return (
    <AdminPage title="New Product">
      <WizardPage productAddress={productAddress} />
    </AdminPage>
  )
}
