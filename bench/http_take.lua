-- For wrk: takes of the limit "bench" for one of KEYS subjects, DEPTH requests at a time.
local keys = tonumber(os.getenv("KEYS") or "100000")
local depth = tonumber(os.getenv("DEPTH") or "1")

function init(args)
  math.randomseed(1)
end

function request()
  local all = {}
  for i = 1, depth do
    all[i] = wrk.format("GET", "/v1/limits/bench/take?subject=" .. math.random(0, keys - 1))
  end
  return table.concat(all)
end
