// The activity log as a file: `GET /api/activity/export?format=jsonl|csv`, streamed in the order it happened.

import { fail } from '../../shared/failure';
import type { Store } from '../store/contract';
import type { StreamRoute } from './http';

const TYPES = { jsonl: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const;

export function activityStream(store: Store): StreamRoute {
  return {
    path: '/api/activity/export',
    command: 'activity.list',
    open({ format = 'jsonl', limit: _limit, before: _before, ...filter }) {
      if (format !== 'jsonl' && format !== 'csv')
        return fail('invalid', `There is no format \`${format}\`.`, { hint: 'Use jsonl or csv.', subject: 'format' });
      return { ok: true, value: { type: TYPES[format], filename: `gatehouse-activity.${format}`, chunks: store.activity.export(format, filter) } };
    },
  };
}
