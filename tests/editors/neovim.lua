-- An author's session in Neovim without a screen: a finding is shown and fixed, and the sibling step is opened.
local program, site = vim.env.STEPKIN_BIN, vim.env.STEPKIN_SITE

local function fail(said)
  io.stderr:write(said .. "\n")
  vim.cmd("cquit")
end

local function request(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  for _, answer in pairs(answers) do
    if answer.result then return answer.result end
  end
  fail("no answer to " .. method)
end

vim.cmd("edit " .. site .. "/content/tour/web/connect.md")
local id = vim.lsp.start_client({ name = "stepkin", cmd = { program, "lsp" }, root_dir = site })
vim.lsp.buf_attach_client(0, id)

local function codes()
  local found = {}
  for _, it in ipairs(vim.diagnostic.get(0)) do found[it.code or it.user_data.lsp.code] = it end
  return found
end

if not vim.wait(20000, function() return codes().mojibake ~= nil end, 20) then fail("nothing is shown") end
local finding = codes().mojibake
if finding.lnum ~= 5 or finding.col ~= 6 then fail("it is shown at " .. finding.lnum .. ":" .. finding.col) end

local params = vim.lsp.util.make_given_range_params({ 6, 6 }, { 6, 6 })
params.context = { diagnostics = {} }
local action = request("textDocument/codeAction", params)[1]
vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(id).offset_encoding)
if vim.fn.getline(6) ~= "It won’t work." then fail("it was fixed as " .. vim.fn.getline(6)) end
if not vim.wait(20000, function() return codes().mojibake == nil end, 20) then fail("it is still shown") end

vim.api.nvim_win_set_cursor(0, { 13, 3 })
local places = request("textDocument/definition", vim.lsp.util.make_position_params())
vim.lsp.util.jump_to_location(places[1], vim.lsp.get_client_by_id(id).offset_encoding)
local name, line = vim.fn.expand("%:p"), vim.fn.getline(".")
if not vim.endswith(name, "/ios/connect.md") or line ~= "| Region | US |" then fail("it opens " .. name .. ": " .. line) end
vim.cmd("qall!")
