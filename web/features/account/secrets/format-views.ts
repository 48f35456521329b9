import { t } from 'i18next'
import type { OwnSecret } from '#shared/api'
import { formatNumber } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'

/** "1 of 3", or the number of views if there is no limit. `maxViews`: views that are left. */
export const formatViews = ({ views, maxViews }: Pick<OwnSecret, 'views' | 'maxViews'>): string =>
  maxViews === null ? formatNumber(views, language) : t('account:history.views-of', { views, limit: views + maxViews })
