// Looks into the input of a tool call without trusting its shape: the values of a field, and how deep it is nested.

import type { Json, JsonObject } from '../../shared/model';

/**
 * Every value at `at`, such as `file_path` or `files.path`: a step reaches into an object, and into each element of a list.
 * Values that are lists are taken apart; null and absent fields give nothing.
 */
export function valuesAt(input: JsonObject, at: string): readonly Json[] {
  let values: readonly Json[] = [input];
  // A field may be named with the dot in it.
  for (const step of Object.hasOwn(input, at) ? [at] : at.split('.')) {
    values = values.flatMap((value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
      const record: JsonObject = value as JsonObject;
      return Object.hasOwn(record, step) ? elements(record[step]) : [];
    });
  }
  return values;
}

function elements(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value.flatMap(elements) : [value];
}

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** The value itself, lists included; null when the field is absent. */
export function fieldAt(input: JsonObject, at: string): Json {
  let value: Json = input;
  for (const step of at.split('.')) {
    if (typeof value !== 'object' || value === null || isList(value) || !Object.hasOwn(value, step)) return null;
    value = (value as JsonObject)[step] ?? null;
  }
  return value;
}

/** Without recursion, because the input may be nested deeper than the stack. */
export function nestsDeeper(input: Json, limit: number): boolean {
  let level: Json[] = [input];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: Json[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const inner of isList(value) ? value : Object.values(value as JsonObject))
        if (typeof inner === 'object' && inner !== null) next.push(inner);
    }
    level = next;
  }
  return false;
}
